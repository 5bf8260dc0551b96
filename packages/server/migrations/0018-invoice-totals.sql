-- The lines of an invoice sum to its subtotal. Discount, tax and credit stand below them and are no lines: see
-- docs/decisions/0023-invoices-that-add-up.md.
alter table invoices
  -- The coupon that the discount is by.
  add column coupon_code text,
  add column tax bigint not null default 0 check (tax >= 0),
  -- One for each rate: name, percent, taxable, amount.
  add column tax_lines jsonb not null default '[]';

-- Until now the discount and the credit were also negative lines at the end, and nothing else was negative. They are
-- taken out, and the coupon's code is kept. Numbers, amounts due and paid, and PDFs that were made stay as they are.
update invoices i set
  coupon_code = (
    select substr(l.line ->> 'description', length('Coupon ') + 1)
    from jsonb_array_elements(i.lines) as l (line)
    where (l.line ->> 'amount')::bigint < 0 and l.line ->> 'description' like 'Coupon %'
    limit 1
  ),
  lines = (
    select jsonb_agg(l.line order by l.place)
    from jsonb_array_elements(i.lines) with ordinality as l (line, place)
    where (l.line ->> 'amount')::bigint >= 0
  )
where i.discount + i.credit_applied > 0
  and i.subtotal - i.discount - i.credit_applied = (
    select sum((l.line ->> 'amount')::bigint) from jsonb_array_elements(i.lines) as l (line)
  );

alter table invoices
  -- subtotal - discount - credit_applied = amount_due
  drop constraint invoices_check,
  add constraint invoices_totals check (subtotal - discount + tax - credit_applied = amount_due);
