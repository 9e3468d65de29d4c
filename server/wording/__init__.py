"""Words: messages become text, typed words become acts, refusals and alerts are put into a language."""
