// Nothing to call: being linked is what counts. The reason stands in mutex_annotations.c.
