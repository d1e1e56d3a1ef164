const OWN_NAME = 'a property of our own or of a library, not the built-in'
const ASKED_FIRST = 'the library asks first whether the browser has it'
export const ADDED = 'src/old-browsers.js adds it'
const LOOKS = 'only looks: without it, the page is as usable'

/** What is found in scripts by its name although all supported browsers run it, by the name that the check reports. */
export const HARMLESS_USES: Readonly<Record<string, string>> = {
  'AbortSignal.timeout': ADDED,
  'Map.groupBy': ADDED,
  '.requestSubmit': ADDED,
  '.throwIfAborted': ADDED,
  '.toReversed': ADDED,
  '.toSorted': ADDED,
  '.alpha': OWN_NAME,
  '.bytes': OWN_NAME,
  '.capture': OWN_NAME,
  '.difference': OWN_NAME,
  '.displayName': OWN_NAME,
  '.dispose': OWN_NAME,
  '.getPublicKey': OWN_NAME,
  '.orientation': OWN_NAME,
  '.popover': OWN_NAME,
  '.role': OWN_NAME,
  '.take': OWN_NAME,
  '.transfer': OWN_NAME,
  '.use': OWN_NAME,
  '.windows': OWN_NAME,
  '.checkVisibility': ASKED_FIRST,
  '.fromBase64': ASKED_FIRST,
  '.fromHex': ASKED_FIRST,
  '.toBase64': ASKED_FIRST,
  '.toHex': ASKED_FIRST,
  '.startViewTransition': ASKED_FIRST,
  '.pushManager': 'push-subscription.ts asks first whether the browser has push messages',
  'Notification.permission': 'push-subscription.ts asks first',
  'Notification.requestPermission': 'push-subscription.ts asks first',
}

/** What some supported browser ignores in styles, harmlessly. */
export const HARMLESS_STYLES: Readonly<Record<string, string>> = {
  ':has': 'only the arrangement of parts',
  ':selection': LOOKS,
  '@container': 'lists then keep their columns and scroll sideways on phones, too',
  'container-type': 'lists then keep their columns and scroll sideways on phones, too',
  '@property': 'only the animation of a fade',
  'grid-template-rows: subgrid': 'values beside each other may start at different heights',
  'place-items: end': LOOKS,
  'align-content: start': LOOKS,
  'accent-color': LOOKS,
  outline: 'only whether its corners are round',
  resize: LOOKS,
  'scrollbar-gutter': LOOKS,
  'scrollbar-width': LOOKS,
  'text-decoration: dotted': LOOKS,
  'text-size-adjust': LOOKS,
  'text-wrap': LOOKS,
  'cursor: help': LOOKS,
  'cursor: not-allowed': LOOKS,
  'cursor: pointer': LOOKS,
  'cursor: progress': LOOKS,
}
