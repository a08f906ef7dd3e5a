// Nothing to call: linking it is enough. The reason is in mutex_annotations.c.
