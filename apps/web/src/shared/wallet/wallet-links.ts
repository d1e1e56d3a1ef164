/** Opens a page of this site inside the TronLink app, which brings the wallet along on a phone. */
export function appLink(pageAddress: string): string {
  const order = { url: pageAddress, action: 'open', protocol: 'tronlink', version: '1.0' }
  return `tronlinkoutside://pull.activity?param=${encodeURIComponent(JSON.stringify(order))}`
}
