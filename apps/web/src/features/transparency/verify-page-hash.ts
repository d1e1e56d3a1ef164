/** SHA-256 of the page on which people check the list of what is owed; npm run build:verify writes it. */
export const VERIFY_PAGE_SHA256 = 'fb2dde2ccb6eddadd2f5a5509d4f72c1505798e7e1185764f3d29298d7b18d09'
