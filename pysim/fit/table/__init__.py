"""Tables of measurements that others bring: read row by row, told what is wrong with each, and scored."""
