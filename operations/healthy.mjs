// Exits with code 0 if the API in this container can answer requests.
const { PORT = '3000' } = process.env
const reply = await fetch(`http://127.0.0.1:${PORT}/api/health`)
process.exitCode = reply.ok ? 0 : 1
