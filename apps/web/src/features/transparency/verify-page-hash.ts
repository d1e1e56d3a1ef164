/** SHA-256 of the page on which people check the list of what is owed; npm run build:verify writes it. */
export const VERIFY_PAGE_SHA256 = '58dc0419147be26d91d42db68f81ac11448a8dcef4d299c1f39458cb39e1a501'
