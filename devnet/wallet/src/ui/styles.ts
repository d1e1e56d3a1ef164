/**
 * Deliberately plain, so that nobody mistakes these tools for the product. On a phone, the button becomes a tab in the
 * page's margin, where it covers nothing.
 */
export const STYLES = `
:host { all: initial; position: fixed; inset-block-end: 12px; inset-inline-start: 12px; z-index: 2147483000; pointer-events: auto; color-scheme: dark; }
* { box-sizing: border-box; font: 14px/1.45 system-ui, sans-serif; }
button, input, select { padding: 6px 10px; border: 1px solid #6a7fb0; border-radius: 6px; background: #1b2440; color: #fff; }
button { cursor: pointer; }
button:disabled { opacity: .6; cursor: progress; }
button.primary { background: #2b5adc; border-color: #2b5adc; }
:focus-visible { outline: 2px solid #fff; outline-offset: 2px; }
.open { border-radius: 999px; background: #2b5adc; border-color: #fff; font-weight: 600; }
dialog { inline-size: min(28rem, calc(100vw - 24px)); max-block-size: 90vh; overflow-y: auto; padding: 16px; border: 1px solid #6a7fb0; border-radius: 12px; background: #10172b; color: #fff; }
dialog::backdrop { background: rgb(0 0 0 / 55%); }
h2 { margin: 0 0 8px; font-size: 17px; font-weight: 600; }
h3 { margin: 16px 0 6px; font-weight: 600; }
p { margin: 6px 0; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 4px 12px; margin: 10px 0; }
dt { color: #b5c1e2; }
dd { margin: 0; overflow-wrap: anywhere; }
pre { max-block-size: 40vh; overflow: auto; padding: 8px; border-radius: 6px; background: #1b2440; white-space: pre-wrap; overflow-wrap: anywhere; font: 12px/1.5 ui-monospace, monospace; }
.row { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin-block: 8px; }
.row input { inline-size: 5.5rem; }
.row input[type="checkbox"] { inline-size: auto; }
.row label { display: inline-flex; gap: 4px; align-items: center; }
select { inline-size: 100%; }
.end { justify-content: flex-end; }
output { display: block; min-block-size: 1.45em; overflow-wrap: anywhere; color: #b5c1e2; }
code { font: 12px ui-monospace, monospace; overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  :host { inset-block-end: 50%; inset-inline-start: 0; }
  .open { padding: 10px 0; border-inline-start: 0; border-radius: 0 8px 8px 0; font-size: 9px; writing-mode: vertical-rl; }
}
`
