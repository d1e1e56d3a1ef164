-- What holders are told outside the pages: by which ways, in which language, and what they do not want.

-- A way to reach a holder. `address` is an e-mail address, the id of a Telegram chat or the endpoint of a browser's push
-- service, and appears in no log; deliveries name the row's id. Nothing but the confirmation is sent before
-- `confirmed_at`, and nothing at all after `ended_at`: then the receiver has refused for good. `label` is what its holder
-- recognises it by. All times are real time.
create table message_channel (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  kind text not null check (kind in ('email', 'telegram', 'push')),
  address text not null check (char_length(address) between 1 and 1000),
  label text not null check (char_length(label) <= 300),
  -- The public key of the browser and the secret shared with it, as the push service hands them out.
  push_key text,
  push_secret text,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  ended_at timestamptz,
  -- Why a mail server has refused.
  problem text check (problem in ('no_address', 'no_domain', 'disabled', 'full', 'refused')),
  constraint message_channel_problem check (problem is null or kind = 'email' and ended_at is not null),
  constraint message_channel_push_keys check ((kind = 'push') = (push_key is not null and push_secret is not null)),
  constraint message_channel_only_email_waits check (confirmed_at is not null or kind = 'email')
);
create unique index message_channel_one on message_channel (user_id, kind) where kind <> 'push';
create unique index message_channel_browser on message_channel (address) where kind = 'push';
create index message_channel_user on message_channel (user_id);

-- The language of a holder's messages; without a row it is English. Unknown ones are, too: the code knows the languages.
create table message_language (
  user_id bigint primary key references app_user,
  language text not null check (language ~ '^[a-z]{2}$')
);

-- A kind of message that a holder does not want by a way. All others are sent.
create table message_refusal (
  user_id bigint not null references app_user,
  kind text not null,
  channel text not null check (channel in ('email', 'telegram', 'push')),
  primary key (user_id, kind, channel)
);

-- A token in a link of a message, or in the link that opens the bot. Only its hash is stored. `message_kind`: the kind that
-- an unsubscribe link ends.
create table message_token (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  purpose text not null check (purpose in ('confirm_email', 'unsubscribe', 'link_telegram')),
  user_id bigint not null references app_user,
  channel_id bigint references message_channel on delete cascade,
  message_kind text,
  expires_at timestamptz not null,
  constraint message_token_parts check (
    (purpose = 'link_telegram') = (channel_id is null) and (purpose = 'unsubscribe') = (message_kind is not null))
);
create index message_token_expiry on message_token (expires_at);
create index message_token_channel on message_token (channel_id);
create index message_token_user on message_token (user_id);

-- The devices that an account has signed in from. Only hashes: of a browser's own id, or of its user agent.
create table known_device (
  user_id bigint not null references app_user,
  device_hash bytea not null check (octet_length(device_hash) = 32),
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null check (last_seen_at >= first_seen_at),
  primary key (user_id, device_hash)
);

-- The Telegram bot as its worker last saw it: its name, and the next of its updates to read. Whoever reads them has them
-- alone until `taken_until`.
create table message_bot (
  single boolean primary key default true check (single),
  username text,
  next_update bigint not null default 0,
  taken_until timestamptz not null default '-infinity'
);

-- Holders who are told anything, for whoever looks for what they should be told.
create view listener_view as
  select u.id as user_id, u.address from app_user_view u
  where u.deleted_at is null and exists (
    select from message_channel c where c.user_id = u.id and c.confirmed_at is not null and c.ended_at is null);

-- Marks of a holder's channels and choices.
create view message_mark as
  select user_id, hash_record_extended(row('channel'::text, id, xmin), 0) as mark from message_channel
  union all
  select user_id, hash_record_extended(row('language'::text, user_id, language), 0) from message_language
  union all
  select user_id, hash_record_extended(row('refusal'::text, user_id, kind, channel), 0) from message_refusal;
