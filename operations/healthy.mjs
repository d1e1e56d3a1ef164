// Ends with 0 if the API of this container can answer calls.
const { PORT = '3000' } = process.env
const reply = await fetch(`http://127.0.0.1:${PORT}/api/health`)
process.exitCode = reply.ok ? 0 : 1
