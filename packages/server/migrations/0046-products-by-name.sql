-- What the list of products is sorted by.
create index products_by_name on products (name, key);
