"""The words of a language go to a native reader, as Markdown or as a page of the browser, and come back."""
