import { Type } from 'typebox'
import { ageIdentity, ageRecipient, text, url, whole } from './value-types.ts'

/** The settings of backups. */
export const backup = {
  BACKUP_TO: Type.Optional(
    text({
      expects: 'a folder, or s3://BUCKET/FOLDER',
      description: 'where backups are kept: on another machine, or on a separate disk',
    }),
  ),
  BACKUP_RECIPIENT: Type.Optional(
    ageRecipient({ description: 'the public key that backups are encrypted for' }),
  ),
  BACKUP_IDENTITY: Type.Optional(
    ageIdentity({
      description:
        'the secret key that belongs to `BACKUP_RECIPIENT`; only a restore needs it, so keep it elsewhere',
    }),
  ),
  BACKUP_KEEP_DAYS: whole(1, 36_500, {
    unset: '30',
    description: 'older backups are removed after each new one; the newest is always kept',
  }),
  BACKUP_S3_ENDPOINT: Type.Optional(
    url({
      description: 'the S3-compatible service, such as https://s3.eu-central-1.amazonaws.com',
    }),
  ),
  BACKUP_S3_REGION: text({ unset: 'us-east-1', description: 'its region' }),
  BACKUP_S3_ACCESS_KEY: Type.Optional(text({ secret: 'secret', description: 'its access key' })),
  BACKUP_S3_SECRET_KEY: Type.Optional(text({ secret: 'secret', description: 'its secret key' })),
}
