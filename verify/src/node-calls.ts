/** The first four bytes of the calls that the page makes by itself: `balanceOf(address)`, `owedOn(uint256)`. */
export const BALANCE_OF = '0x70a08231'
export const OWED_ON = '0xca57e312'
