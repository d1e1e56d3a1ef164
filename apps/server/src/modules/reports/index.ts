export { endCaseLinks } from './case-links.ts'
export { createNewsDesk, type NewsDesk } from './news/news-desk.ts'
export { readMark } from './news/read-mark.ts'
export { createOwedListLoop } from './owed-list/make-owed-list.ts'
