// Runs before the first paint, so that a stored light theme never flashes dark.
// A file of its own because the content security policy refuses inline scripts.
try {
  if (localStorage.getItem('theme') === 'light') document.documentElement.dataset.theme = 'light'
} catch {
  // Storage may be blocked; the dark default of index.html stands.
}
