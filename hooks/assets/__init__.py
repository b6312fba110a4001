"""The files of the site that are not pages: scripts, styles and fonts, ours and those of npm packages."""
