-- The transfer that returned a payment to its sender: one transfer returns one payment. A payment that an earlier version
-- marked as refunded has none, so the service requires it and the table does not. Dust is booked and asks nobody.
alter table usdt_receipt
  add column return_tx bytea check (length(return_tx) = 32),
  add column return_log_index integer,
  add constraint usdt_receipt_returned_once unique (return_tx, return_log_index),
  add constraint usdt_receipt_is_returned check (
    (return_tx is null) = (return_log_index is null) and (return_tx is null or state = 'refunded')),
  drop constraint usdt_receipt_state_check,
  add constraint usdt_receipt_state_check check (state in ('settled', 'unmatched', 'refunded', 'internal', 'dust'));
