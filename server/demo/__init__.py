"""The demonstration: whole games through real voices, real recognition, a real server, both boards, both scores."""
