/** SHA-256 of the page on which people check the list of what is owed; npm run build:verify writes it. */
export const VERIFY_PAGE_SHA256 = 'c72c3acb400339a7afa61c5bf8c4904c456e502cf5d3869c3393cbe91f5dcef8'
