import type { ErrorCatalogue } from './shape.ts'

export const REFERRALS_ERRORS = {
  USDT_ADDRESS_INVALID: { status: 422, message: 'Invalid BSC USDT address format.' },
  USDT_ADDRESS_NOT_YOURS: {
    status: 422,
    message:
      'Nothing can be paid to this address: it belongs to the service or to nobody. Enter your own.',
  },
  BONUS_TYPE_UNKNOWN: {
    status: 400,
    message: "The type must be 'direct bonus' or 'non-direct'.",
  },
  NON_DIRECT_CLOSED: {
    status: 422,
    message: 'Claiming will be available starting {day}.',
  },
  NOTHING_TO_CLAIM_REFERRAL: {
    status: 422,
    message: 'There is no unclaimed referral reward of this type.',
  },
  REFERRAL_CLAIM_PENDING: {
    status: 409,
    message: 'Your last claim of this type is still waiting for approval.',
  },
  REFERRAL_CLAIM_CHANGED: {
    status: 409,
    message: 'Your rewards have changed in the meantime. Please claim again.',
  },
  REFERRAL_CLAIM_NOT_FOUND: { status: 404, message: 'Claim not found' },
  REFERRAL_CLAIM_ENDED: { status: 409, message: 'This claim is not waiting for approval.' },
  REFERRAL_CLAIM_APPROVED: { status: 409, message: 'This claim has already been approved.' },
  REFERRAL_CLAIM_NOT_APPROVED: {
    status: 409,
    message: 'Only an approved claim that has not been paid can be returned.',
  },
  OWN_REFERRAL_CLAIM: { status: 403, message: 'You cannot approve your own claim.' },
  OWN_PERCENTAGE: {
    status: 403,
    message: 'You cannot change your own percentage alone. A second admin must confirm it.',
  },
  SECOND_ADMIN_NEEDED: {
    status: 409,
    message: 'You have already approved this claim. A second admin must approve it, too.',
  },
  ADMIN_BALANCE_TOO_LOW: {
    status: 409,
    message: '❌ Gagal: Saldo USDT admin tidak mencukupi untuk klaim ini',
  },
  REFERRAL_PERCENTAGE_INVALID: { status: 400, message: 'Masukkan persentase yang valid' },
  REFERRAL_PERCENTAGE_OUT_OF_RANGE: { status: 400, message: 'Persentase harus antara 0-75%' },
} as const satisfies ErrorCatalogue
