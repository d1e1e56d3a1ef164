import { isAbsolute } from 'node:path'
import { folderStore } from '../platform/backup/folder-store.ts'
import { s3Store } from '../platform/backup/s3-store.ts'
import { BackupError, type BackupStore } from '../platform/backup/store.ts'
import type { Config } from './config.ts'

/** The storage that the settings name. @throws BackupError that names a missing setting */
export function backupStoreOf({ to, s3 }: Config['backup']): BackupStore {
  const place = required('BACKUP_TO', to)
  const bucket = /^s3:\/\/([a-z0-9][a-z0-9.-]+)(?:\/([A-Za-z0-9._/-]*?))?\/?$/.exec(place)
  if (bucket !== null) {
    const [, name = '', prefix = ''] = bucket
    return s3Store({
      endpoint: required('BACKUP_S3_ENDPOINT', s3.endpoint),
      region: s3.region,
      ...{ bucket: name, prefix },
      accessKey: required('BACKUP_S3_ACCESS_KEY', s3.accessKey),
      secretKey: required('BACKUP_S3_SECRET_KEY', s3.secretKey),
    })
  }
  if (isAbsolute(place)) return folderStore(place)
  throw new BackupError('BACKUP_TO is not valid: an absolute folder, or s3://BUCKET/FOLDER')
}

export function required(name: string, value: string | undefined): string {
  if (value !== undefined) return value
  throw new BackupError(`${name} is missing: it is needed for backups.`)
}
