/**
 * Deviations of the Tron side from the default behaviour. Tests set them through `control.setTronBehaviour`; they are
 * not stored, so a restart resets them.
 */
export type TronBehaviour = {
  /** How many blocks `/walletsolidity` lags behind JSON-RPC's `finalized`: up to 2 on real nodes. */
  solidityLag: number
  /** Contract transactions end in OUT_OF_TIME, which burns everything that the fee limit allows. */
  transactionsTimeOut: boolean
  /**
   * How much more energy than usual contracts are charged, in ten-thousandths, as a node charges for popular ones: 10,000
   * doubles it. The total contains this penalty, which receipts and constant calls also name by itself.
   */
  energyFactor: number
  /** Constant calls are refused as by an overloaded node. */
  callsTimeOut: boolean
}

export const DEFAULT_TRON_BEHAVIOUR: TronBehaviour = {
  solidityLag: 0,
  transactionsTimeOut: false,
  energyFactor: 0,
  callsTimeOut: false,
}
