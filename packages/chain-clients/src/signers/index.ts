export { awsKmsSigner } from './aws-kms.ts'
export {
  type DigestSigner,
  type RecoverableSignature,
  SignerUnavailable,
  WrongSignature,
} from './digest-signer.ts'
export { googleKmsSigner } from './google-kms.ts'
export { KeystoreError, makeKeystore, openKeystore } from './keystore.ts'
export { rawKeySigner } from './raw-key.ts'
export { signatureBytes } from './signature.ts'
