/** Hands a text to the browser as a file to keep. */
export function saveFile(file: { name: string; type: string; text: string }): void {
  const address = URL.createObjectURL(new Blob([file.text], { type: file.type }))
  const link = document.createElement('a')
  link.href = address
  link.download = file.name
  link.click()
  URL.revokeObjectURL(address)
}
