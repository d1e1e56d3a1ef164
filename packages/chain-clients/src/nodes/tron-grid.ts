/** Whether an address belongs to TronGrid. Other companies' nodes must not see its key. */
function isTronGrid(url: string): boolean {
  const { hostname } = new URL(url)
  return hostname === 'trongrid.io' || hostname.endsWith('.trongrid.io')
}

/** The headers that identify us to TronGrid; none for other hosts. */
export function tronGridHeaders(url: string, apiKey: string | undefined): Record<string, string> {
  return apiKey === undefined || !isTronGrid(url) ? {} : { 'TRON-PRO-API-KEY': apiKey }
}
