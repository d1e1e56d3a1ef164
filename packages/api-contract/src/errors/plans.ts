import { JOIN_MAX_DCT, JOIN_MIN_DCT } from '@dct/rules/constants'
import type { ErrorCatalogue } from './shape.ts'

export const PLANS_ERRORS = {
  PLAN_NOT_FOUND: { status: 404, message: 'The earning plan was not found.' },
  PLAN_NOT_OPEN: { status: 422, message: 'This plan takes no new joins.' },
  PLAN_OPENING: {
    status: 409,
    message: 'This plan is still being opened. Please try again in a minute.',
  },
  ALREADY_FOLLOWING: { status: 409, message: "You have followed this plan, can't join again!" },
  AMOUNT_NOT_POSITIVE: { status: 422, message: 'The amount entered must be greater than 0!' },
  AMOUNT_OUT_OF_RANGE: {
    status: 422,
    message: `The amount entered must be between ${JOIN_MIN_DCT} and ${JOIN_MAX_DCT} DCT!`,
  },
  DAILY_QUOTA_EXHAUSTED: {
    status: 422,
    message: 'The daily quota for this plan has run out.Try again tomorrow!',
  },
  ANNUAL_QUOTA_EXHAUSTED: {
    status: 422,
    message: "The annual quota for this plan has run out.Can't join.",
  },
  DAILY_QUOTA_EXCEEDED: {
    status: 422,
    message:
      'The estimated reward ({estimate} DCT) exceeds the remaining daily quota ({quota} DCT)!',
  },
  ANNUAL_QUOTA_EXCEEDED: {
    status: 422,
    message:
      'The estimated reward ({estimate} DCT) exceeds the remaining annual quota ({quota} DCT)!',
  },
  DCT_BALANCE_TOO_LOW: {
    status: 422,
    message: 'Your wallet holds less DCT than the amount entered.',
  },
  RESERVATION_COOLDOWN: {
    status: 429,
    message: 'Your last reservation was not used. Please wait a moment before the next one.',
  },
  PLAN_CODE_TAKEN: { status: 409, message: 'The plan code is already in use.' },
  PLAN_TERMS_INVALID: { status: 422, message: 'The terms of the plan are not valid.' },
  PLAN_TERMS_PENDING: {
    status: 409,
    message:
      'The terms are not fixed on chain yet. Nothing was paid; please try again in a minute.',
  },
  PLAN_NAME_REQUIRED: { status: 422, message: 'Plan and daily limit names must be filled!' },
  FUNDING_HASH_INVALID: {
    status: 400,
    message: 'The transaction hash must be 64 hex digits.',
  },
  FUNDING_NOT_FOUND: { status: 422, message: 'The funding transaction was not found.' },
  FUNDING_NOT_FINAL: {
    status: 409,
    message: 'The funding transaction is not final yet. Please try again in a minute.',
  },
  FUNDING_FAILED: { status: 422, message: 'The funding transaction failed.' },
  FUNDING_MISMATCH: {
    status: 422,
    message: 'The funding transaction does not fund this plan with its total reward.',
  },
  FUNDING_USED: {
    status: 409,
    message: 'The funding transaction has already been used for a plan.',
  },
} as const satisfies ErrorCatalogue
