import { AT, hash, LATER, NOBODY, type Row, SHORT, type TableGuards } from './guard.ts'

const email: Row = {
  id: 1,
  user_id: 1,
  kind: 'email',
  address: 'a@example.com',
  label: '',
  push_key: null,
  push_secret: null,
  created_at: AT,
  confirmed_at: null,
  ended_at: null,
}
const browser: Row = {
  ...email,
  kind: 'push',
  address: 'https://push.example.com/1',
  push_key: 'a',
  push_secret: 'b',
  confirmed_at: AT,
}

const unsubscribe: Row = {
  token_hash: hash(1),
  purpose: 'unsubscribe',
  user_id: 1,
  channel_id: 1,
  message_kind: 'claimable',
  expires_at: LATER,
}

const device: Row = {
  user_id: 1,
  device_hash: hash(1),
  first_seen_at: AT,
  last_seen_at: AT,
}

/** Holders' channels and choices. */
export const MESSAGE_GUARDS: readonly TableGuards[] = [
  {
    table: 'message_channel',
    rows: [email, { ...browser, id: 2 }],
    next: { ...browser, id: 3, address: 'https://push.example.com/2' },
    refused: {
      message_channel_pkey: { id: 1 },
      message_channel_one: { kind: 'email', push_key: null, push_secret: null },
      message_channel_browser: { address: 'https://push.example.com/1' },
      message_channel_kind_check: { kind: 'fax', push_key: null, push_secret: null },
      message_channel_address_check: { address: '' },
      message_channel_label_check: { label: 'a'.repeat(301) },
      message_channel_push_keys: { push_secret: null },
      message_channel_problem_check: {
        ...{ kind: 'email', push_key: null, push_secret: null },
        ...{ ended_at: AT, problem: 'no reason' },
      },
      message_channel_problem: { ended_at: AT, problem: 'full' },
      message_channel_only_email_waits: { confirmed_at: null },
      message_channel_user_id_fkey: { user_id: NOBODY },
    },
  },
  {
    table: 'message_language',
    rows: [{ user_id: 1, language: 'id' }],
    next: { user_id: 2, language: 'en' },
    refused: {
      message_language_pkey: { user_id: 1 },
      message_language_language_check: { language: 'English' },
      message_language_user_id_fkey: { user_id: NOBODY },
    },
  },
  {
    table: 'message_refusal',
    rows: [{ user_id: 1, kind: 'claimable', channel: 'email' }],
    next: { user_id: 1, kind: 'claimable', channel: 'push' },
    refused: {
      message_refusal_pkey: { channel: 'email' },
      message_refusal_channel_check: { channel: 'fax' },
      message_refusal_user_id_fkey: { user_id: NOBODY },
    },
  },
  {
    table: 'message_token',
    rows: [unsubscribe],
    next: { ...unsubscribe, token_hash: hash(2) },
    refused: {
      message_token_pkey: { token_hash: hash(1) },
      message_token_token_hash_check: { token_hash: SHORT },
      message_token_purpose_check: { purpose: 'login', message_kind: null },
      message_token_parts: { message_kind: null },
      message_token_channel_id_fkey: { channel_id: NOBODY },
      message_token_user_id_fkey: { user_id: NOBODY },
    },
  },
  {
    table: 'known_device',
    rows: [device],
    next: { ...device, device_hash: hash(2) },
    refused: {
      known_device_pkey: { device_hash: hash(1) },
      known_device_device_hash_check: { device_hash: SHORT },
      known_device_check: { last_seen_at: '2026-01-14T00:00:00Z' },
      known_device_user_id_fkey: { user_id: NOBODY },
    },
  },
  {
    table: 'message_bot',
    rows: [{ single: true }],
    next: { single: true },
    refused: {
      message_bot_pkey: {},
      message_bot_single_check: { single: false },
    },
  },
]
