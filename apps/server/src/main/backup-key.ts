/**
 * `backup-key.ts FILE`: creates a key pair for backups. Writes the secret key to a new file and prints the public key,
 * for BACKUP_RECIPIENT.
 */
import { writeFileSync } from 'node:fs'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { createFile } from '../platform/create-file.ts'

const [file] = process.argv.slice(2)
if (file === undefined) {
  process.stderr.write('Usage: backup-key FILE\n')
  process.exitCode = 2
} else {
  const identity = await generateX25519Identity()
  const recipient = await identityToRecipient(identity)
  // An existing key is never overwritten: the backups that were encrypted for it would become unreadable.
  createFile(file, (opened) => writeFileSync(opened, `# public key: ${recipient}\n${identity}\n`))
  process.stdout.write(`${recipient}\n`)
}
