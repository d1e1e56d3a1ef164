export { endCaseLinks } from './case-links.ts'
export { createLongPoll, type LongPoll } from './changes/long-poll.ts'
export { readMark } from './changes/read-mark.ts'
export { createOwedListLoop } from './owed-list/make-owed-list.ts'
