-- Files of this folder run where the extension citus is, after the steps, and change nothing a second time. They put what
-- is only added to on the workers, with all rows there are. No foreign key can lead from there to the coordinator, so
-- those of accounts are dropped: `ledger_post` has looked both accounts up and locked them.
do $$
begin
  -- A step may have replaced the function. The worker that writes a transfer must know that it comes from there, and Citus
  -- plans a statement for its values.
  alter function ledger_post(jsonb) set plan_cache_mode = 'force_custom_plan';
  alter function ledger_post(jsonb) set citus.propagate_set_commands = 'local';
  if exists (select from pg_dist_partition where logicalrelid = 'ledger_transfer'::regclass) then return; end if;
  set local citus.enable_unsafe_triggers = on;
  drop trigger append_only on ledger_transfer;
  drop trigger door_only on ledger_transfer;
  alter table ledger_transfer drop constraint ledger_transfer_debit_id_asset_fkey,
    drop constraint ledger_transfer_credit_id_asset_fkey;
  perform create_distributed_table('ledger_transfer', 'ref');
  perform truncate_local_data_after_distributing_table('ledger_transfer');
  create trigger append_only before update or delete on ledger_transfer
    for each statement execute function ledger_refuse_change();
  -- On its own: Citus puts no trigger on the workers that names `truncate`.
  create trigger append_only_whole before truncate on ledger_transfer
    for each statement execute function ledger_refuse_change();
  create trigger door_only before insert on ledger_transfer
    for each statement execute function ledger_require_door();
end $$;
