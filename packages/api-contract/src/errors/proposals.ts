import type { ErrorCatalogue } from './shape.ts'

export const PROPOSALS_ERRORS = {
  PROPOSAL_GONE: {
    status: 409,
    message: 'This proposal is no longer open: it was decided, replaced or withdrawn.',
  },
  PROPOSAL_OF_ANOTHER: {
    status: 403,
    message: 'Only the admin who made a proposal can withdraw it. You can decline it.',
  },
  PROPOSAL_YOUR_OWN: {
    status: 403,
    message: 'You made this proposal yourself. You can withdraw it.',
  },
} as const satisfies ErrorCatalogue
