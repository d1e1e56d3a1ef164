-- The admins' actions, and the figures of their dashboard.

-- Every action of an admin, with its changes.
create table admin_log (
  id bigint generated always as identity primary key,
  admin_id bigint not null references app_user (id),
  action text not null,
  subject text not null,
  before jsonb,
  after jsonb,
  ip text,
  at timestamptz not null
);
create index admin_log_at on admin_log (at desc, id desc);
create index admin_log_subject on admin_log (subject text_pattern_ops, id);
create index admin_log_action on admin_log (action, at desc, id desc);
create index admin_log_admin on admin_log (admin_id, at desc, id desc);

-- Makes the log append-only.
create function admin_log_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'admin_log is append-only' using errcode = '23514';
end $$;
create trigger append_only before update or delete or truncate on admin_log
  for each statement execute function admin_log_is_append_only();

-- Dashboard figures that no other module counts: users, and DCT claimed. Each is spread over rows, so that
-- registrations and claims do not wait for one another; a figure is the sum of its rows.
create table service_count (
  name text not null check (name in ('users', 'claimed')),
  shard smallint not null,
  amount numeric(78,0) not null,
  primary key (name, shard)
) with (fillfactor = 50);

-- Adds to one row of a figure.
create function service_count_add(p_name text, p_shard bigint, p_amount numeric) returns void
language sql as $$
  insert into service_count values (p_name, p_shard % 64, p_amount)
    on conflict (name, shard) do update set amount = service_count.amount + excluded.amount
$$;

-- Counts new users. In shard order, as everywhere here, so that two statements never deadlock.
create function service_count_users() returns trigger language plpgsql as $$
begin
  perform service_count_add('users', shard, added)
    from (select id % 64 as shard, count(*) as added from new_users
          where deleted_at is null group by 1 order by 1) counted;
  return null;
end $$;
create trigger service_count_users after insert on app_user referencing new table as new_users
  for each statement execute function service_count_users();

-- Subtracts a removed user, and adds one that is restored.
create function service_count_deleted() returns trigger language plpgsql as $$
begin
  perform service_count_add('users', new.id, case when new.deleted_at is null then 1 else -1 end);
  return null;
end $$;
create trigger service_count_deleted after update of deleted_at on app_user for each row
  when ((old.deleted_at is null) is distinct from (new.deleted_at is null))
  execute function service_count_deleted();

-- Adds the amounts of new claims.
create function service_count_claimed() returns trigger language plpgsql as $$
begin
  perform service_count_add('claimed', shard, added)
    from (select id % 64 as shard, sum(amount) as added from new_claims group by 1 order by 1) counted;
  return null;
end $$;
create trigger service_count_claimed after insert on claim referencing new table as new_claims
  for each statement execute function service_count_claimed();

-- Subtracts the part of an ended claim that will not be paid: all but the half that may have been paid immediately.
create function service_count_unclaimed() returns trigger language plpgsql as $$
begin
  perform service_count_add('claimed', new.id, -new.later_amount);
  return null;
end $$;
create trigger service_count_unclaimed after update of state on claim for each row
  when (old.state is distinct from new.state and new.state in ('cancelled', 'lapsed'))
  execute function service_count_unclaimed();
