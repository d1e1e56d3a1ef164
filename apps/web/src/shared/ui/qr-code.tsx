import { encode } from 'uqr'
import './qr-code.css'

/** The light border that the standard asks for, in modules: cameras miss codes with less. */
const QUIET_MODULES = 4

/** A text as a QR code, dark on white in both themes, because cameras need that. */
export function QrCode({ value, label }: { value: string; label: string }) {
  const { data, size } = encode(value, { ecc: 'M', border: QUIET_MODULES })
  const cells = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])),
  )
  return (
    <svg
      className="qr-code"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect className="qr-code__ground" width={size} height={size} />
      <path className="qr-code__cells" d={cells.join('')} />
    </svg>
  )
}
