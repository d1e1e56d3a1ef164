import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { QrCode } from './qr-code.tsx'

test('a QR code has a light border of four modules on each side', () => {
  const html = renderToStaticMarkup(<QrCode value={`0x${'1'.repeat(40)}`} label="Address" />)
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(html)?.[1])
  const cells = [...html.matchAll(/M(\d+) (\d+)h1/g)].flatMap(([, x, y]) => [Number(x), Number(y)])
  expect(Math.min(...cells)).toBe(4)
  expect(Math.max(...cells)).toBe(size - 4 - 1)
  expect(html).toContain(`<rect class="qr-code__ground" width="${size}" height="${size}"`)
})
