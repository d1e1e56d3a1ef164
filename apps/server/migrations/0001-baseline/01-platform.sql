-- The basis of every module: business time, jobs, alarms, and the text forms that lists are searched by.

-- How far business time runs ahead of real time. Only the development network moves it.
create table business_clock (
  single boolean primary key default true check (single),
  offset_ms bigint not null default 0 check (offset_ms >= 0)
);
insert into business_clock default values;

-- The chains and contracts that this database belongs to. A process whose settings name others refuses to start.
create table pin (
  name text primary key,
  value text not null
);

-- Work to do once, later. It is queued in the transaction that makes it necessary, so neither happens without the other.
create table job (
  id bigint generated always as identity primary key,
  queue text not null,
  dedupe_key text not null,
  payload jsonb not null default '{}'::jsonb,
  run_at timestamptz not null,
  attempts integer not null default 0,
  last_error text,
  constraint job_once unique (queue, dedupe_key)
);
create index job_due on job (run_at, id);

-- Problems that need a person. Raising one that is already open changes nothing.
create table alarm (
  id bigint generated always as identity primary key,
  kind text not null,
  subject text not null,
  message text not null,
  raised_at timestamptz not null,
  cleared_at timestamptz,
  -- When it was last told again outside, in real time; null until then.
  repeated_at timestamptz,
  -- When one of the processes that look for its cause last found it still there, in real time; null until then.
  confirmed_at timestamptz,
  -- How often its cause was found: one that is back before its end was told goes on being the same alarm.
  times integer not null default 1,
  -- The message that tells its end, withdrawn when the cause is back.
  ended_with uuid
);
create unique index alarm_open on alarm (kind, subject) where cleared_at is null;

-- What is to be told outside: alarms, business events, test messages, and what holders are told. Written in the
-- transaction of the fact, so that neither exists without the other. The worker turns each into one delivery per channel.
create table outbox_message (
  id uuid primary key default gen_random_uuid(),
  -- In the order of writing.
  number bigint generated always as identity,
  type text not null,
  -- Only alarms have one.
  severity text check (severity in ('critical', 'warning')),
  data jsonb not null,
  -- To whom it goes, by which channel; null when the settings decide.
  receivers jsonb,
  at timestamptz not null,
  -- In real time, like all times below.
  dispatched_at timestamptz
);
create index outbox_message_new on outbox_message (number) where dispatched_at is null;
create index outbox_message_test on outbox_message (number) where type = 'test';
create index outbox_message_dispatched on outbox_message (dispatched_at);

-- One message to one receiver. Whoever sends it first moves due_at past the longest send, so that nobody else takes it
-- meanwhile, and so that it is sent again if its process dies.
create table outbox_delivery (
  id bigint generated always as identity primary key,
  message_id uuid not null references outbox_message on delete cascade,
  channel text not null
    check (channel in ('email', 'telegram', 'webhook', 'holder_email', 'holder_telegram', 'holder_push')),
  receiver text not null,
  state text not null default 'pending' check (state in ('pending', 'sent', 'failed')),
  attempts integer not null default 0 check (attempts >= 0),
  due_at timestamptz not null,
  last_error text,
  ended_at timestamptz,
  constraint outbox_delivery_once unique (message_id, channel, receiver),
  constraint outbox_delivery_ended check ((state = 'pending') = (ended_at is null))
);
create index outbox_delivery_due on outbox_delivery (channel, receiver, due_at) where state = 'pending';
create index outbox_delivery_channel on outbox_delivery (channel, due_at) where state = 'pending';
create index outbox_delivery_failed on outbox_delivery (ended_at) where state = 'failed';

-- The state of each process's loops as it last reported them, for the operators' page. In real time.
create table loop_report (
  host text not null,
  name text not null,
  is_idle boolean not null,
  failures integer not null check (failures >= 0),
  last_error text,
  reported_at timestamptz not null,
  primary key (host, name)
);

-- When the last backup of each kind was made, in real time, as its script records it once the backup is complete. A
-- restored database contains the record of the backups before its own.
create table backup (
  kind text primary key check (kind in ('full', 'incremental', 'dump', 'provider')),
  finished_at timestamptz not null
);

-- To be called after each backup, whatever made it: psql -c "select record_backup('dump')".
create function record_backup(p_kind text) returns void language sql as $$
  insert into backup (kind, finished_at) values (p_kind, clock_timestamp())
  on conflict (kind) do update set finished_at = excluded.finished_at
$$;

-- The last nine characters of a Tron address in base58check. People recognise an address by its end, so lists are
-- searched by it. Only the number modulo 58^9 matters; multiplied by 256 it still fits a bigint.
create function tron_address_end(p_address bytea) returns text
language plpgsql immutable strict parallel safe cost 500 as $$
declare
  v_plain bytea := '\x41'::bytea || p_address;
  v_bytes bytea := v_plain || substring(sha256(sha256(v_plain)) from 1 for 4);
  v_rest bigint := 0;
  v_end text := '';
begin
  for i in 0 .. length(v_bytes) - 1 loop
    v_rest := (v_rest * 256 + get_byte(v_bytes, i)) % 7427658739644928;
  end loop;
  for i in 1 .. 9 loop
    v_end := v_end || substr(
      '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', (v_rest % 58)::int + 1, 1);
    v_rest := v_rest / 58;
  end loop;
  return v_end;
end $$;

-- A hash or a BSC address in hex, reversed: a search by its end becomes a search by a prefix, which an index supports.
create function hex_end(p_bytes bytea) returns text
language sql immutable strict parallel safe cost 100 as $$
  select reverse(encode(p_bytes, 'hex'))
$$;

-- A day as the pages format it, so that users can search for what they see.
create function formatted_day(p_day date) returns text
language sql immutable strict parallel safe as $$
  select extract(day from p_day)::int || ' '
    || (array['Jan','Feb','Mar','Apr','Mei','Jun','Jul','Agu','Sep','Okt','Nov','Des'])
      [extract(month from p_day)::int]
    || ' ' || extract(year from p_day)::int
$$;
