export { changeSetting } from './change-setting.ts'
export { type Deciders, decide, endOfProposal } from './decide.ts'
export { dropProposal, findProposal, insertChange, lockSettings } from './proposals.queries.ts'
export type { ProposalsViews } from './proposals.tables.ts'
