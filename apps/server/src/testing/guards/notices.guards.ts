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
  notice_kind: 'claimable',
  expires_at: LATER,
}

const device: Row = {
  user_id: 1,
  device_hash: hash(1),
  first_seen_at: AT,
  last_seen_at: AT,
}

/** Holders' channels and choices. */
export const NOTICE_GUARDS: readonly TableGuards[] = [
  {
    table: 'notice_channel',
    rows: [email, { ...browser, id: 2 }],
    next: { ...browser, id: 3, address: 'https://push.example.com/2' },
    refused: {
      notice_channel_pkey: { id: 1 },
      notice_channel_one: { kind: 'email', push_key: null, push_secret: null },
      notice_channel_browser: { address: 'https://push.example.com/1' },
      notice_channel_kind_check: { kind: 'fax', push_key: null, push_secret: null },
      notice_channel_address_check: { address: '' },
      notice_channel_label_check: { label: 'a'.repeat(301) },
      notice_channel_push_keys: { push_secret: null },
      notice_channel_problem_check: {
        ...{ kind: 'email', push_key: null, push_secret: null },
        ...{ ended_at: AT, problem: 'no reason' },
      },
      notice_channel_problem: { ended_at: AT, problem: 'full' },
      notice_channel_only_email_waits: { confirmed_at: null },
      notice_channel_user_id_fkey: { user_id: NOBODY },
    },
  },
  {
    table: 'notice_language',
    rows: [{ user_id: 1, language: 'id' }],
    next: { user_id: 2, language: 'en' },
    refused: {
      notice_language_pkey: { user_id: 1 },
      notice_language_language_check: { language: 'English' },
      notice_language_user_id_fkey: { user_id: NOBODY },
    },
  },
  {
    table: 'notice_refusal',
    rows: [{ user_id: 1, kind: 'claimable', channel: 'email' }],
    next: { user_id: 1, kind: 'claimable', channel: 'push' },
    refused: {
      notice_refusal_pkey: { channel: 'email' },
      notice_refusal_channel_check: { channel: 'fax' },
      notice_refusal_user_id_fkey: { user_id: NOBODY },
    },
  },
  {
    table: 'notice_token',
    rows: [unsubscribe],
    next: { ...unsubscribe, token_hash: hash(2) },
    refused: {
      notice_token_pkey: { token_hash: hash(1) },
      notice_token_token_hash_check: { token_hash: SHORT },
      notice_token_purpose_check: { purpose: 'login', notice_kind: null },
      notice_token_parts: { notice_kind: null },
      notice_token_channel_id_fkey: { channel_id: NOBODY },
      notice_token_user_id_fkey: { user_id: NOBODY },
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
    table: 'notice_bot',
    rows: [{ single: true }],
    next: { single: true },
    refused: {
      notice_bot_pkey: {},
      notice_bot_single_check: { single: false },
    },
  },
]
