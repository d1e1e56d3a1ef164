-- The booking of a payment has locked its account, so the foreign key is not missed.
do $$
begin
  if exists (select from pg_dist_partition where logicalrelid = 'chain_payment'::regclass) then return; end if;
  alter table chain_payment drop constraint chain_payment_account_id_fkey;
  perform create_distributed_table('chain_payment', 'tx_hash', colocate_with => 'chain_event');
  perform truncate_local_data_after_distributing_table('chain_payment');
end $$;
