"""The pages and parts of pages that the build writes itself: gallery, embeds, sources, accuracy, menu."""
