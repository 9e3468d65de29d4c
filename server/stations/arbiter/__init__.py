"""An arbiter at a line of text, braille or a terminal: the cards, the desk, and every act of the page, typed."""
