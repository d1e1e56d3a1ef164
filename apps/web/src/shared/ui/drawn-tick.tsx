import './drawn-tick.css'

/** A tick that draws itself when it appears; at once where motion is not wanted. */
export function DrawnTick() {
  return (
    <svg className="drawn-tick" viewBox="0 0 24 24" fill="none" aria-hidden="true">
      <circle cx="12" cy="12" r="10" pathLength={1} />
      <path d="m7.5 12.4 3.1 3.1 6-6.6" pathLength={1} />
    </svg>
  )
}
