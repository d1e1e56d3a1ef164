/**
 * The oldest browsers in which every page works, by the names of MDN's compatibility data. Wallets' users decide:
 * iPhones that Apple no longer updates stay at iOS 15.8 (6s, 7, SE) and 16.7 (8, X), and wallets show pages with its
 * WebView; Android's WebView, which other wallets use, is updated apart from the system from Android 6 on, and remains at
 * 106 there; Chrome 109 and Firefox 115 are the last for Windows 7 and 8. The line is where cascade layers came, without
 * which a page has no layout: Chrome 99, Safari 15.4. Android 5 (WebView 95) is below it.
 *
 * A browser below it is told so: `src/old-browsers.js`, which also adds the built-ins that these browsers lack.
 */
export const OLDEST_BROWSERS = {
  chrome: '99',
  chrome_android: '99',
  webview_android: '99',
  edge: '99',
  samsunginternet_android: '18.0',
  firefox: '115',
  firefox_android: '115',
  safari: '15.4',
  safari_ios: '15.4',
} as const

/**
 * The same for the build, which lowers styles to what they know. It would lower classes, too, for a fault of Safari 15
 * that no code meets, and scripts would grow by a twentieth; so scripts are built for the year, and checked.
 */
export const STYLE_TARGET = [
  `chrome${OLDEST_BROWSERS.chrome}`,
  `edge${OLDEST_BROWSERS.edge}`,
  `firefox${OLDEST_BROWSERS.firefox}`,
  `safari${OLDEST_BROWSERS.safari}`,
  `ios${OLDEST_BROWSERS.safari_ios}`,
]
