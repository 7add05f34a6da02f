import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { z } from 'zod'

/** An Ed25519 public key: its 32 bytes in base64url. */
export const publicKeySchema = z
  .string()
  .regex(/^[\w-]{43}$/, 'It is no public key of `deploy owners --new-key`')

export interface SigningKey {
  readonly publicKey: string
  /** Returns the signature in base64url. */
  sign(bytes: Buffer): string
}

/** A private key from PKCS #8 in PEM. Throws on another kind of key. */
export function signingKey(pem: string): SigningKey {
  const key = createPrivateKey(pem)
  const { crv, x } = createPublicKey(key).export({ format: 'jwk' })
  if (crv !== 'Ed25519' || !x)
    throw new Error('The key must be an Ed25519 key: `deploy owners --new-key FILE`')
  return { publicKey: x, sign: (bytes) => sign(null, bytes, key).toString('base64url') }
}

/** The key that `DEPLOY_KEY` names (path of a PEM file) or holds (the PEM itself); null when it is unset. */
export function deployKey(): SigningKey | null {
  const { DEPLOY_KEY: given } = process.env
  if (!given) return null
  return signingKey(given.includes('-----BEGIN') ? given : readFileSync(given, 'utf8'))
}

/**
 * Writes a new private key. Throws when the file exists.
 * @returns its public key
 */
export async function newKey(file: string): Promise<string> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const { publicKey } = signingKey(pem)
  // The command line would take it for an option.
  if (publicKey.startsWith('-')) return await newKey(file)
  await writeFile(file, pem, { mode: 0o600, flag: 'wx' })
  return publicKey
}

export function isSignedBy(publicKey: string, bytes: Buffer, signature: string): boolean {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' })
  return verify(null, bytes, key, Buffer.from(signature, 'base64url'))
}
