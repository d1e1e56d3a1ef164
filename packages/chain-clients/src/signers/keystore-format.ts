/** Whether a text is a key encrypted in the V3 format of Ethereum's wallets, which Tron's wallets share. */
export function isKeystore(text: string): boolean {
  try {
    const content: unknown = JSON.parse(text)
    return typeof content === 'object' && content !== null && Object(content).version === 3
  } catch {
    return false
  }
}
