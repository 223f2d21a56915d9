import { childrenOf, type Der, readDer, readOid, readTime, TAG, writeDer, writeOid } from '#app/domain/proof/der.ts';

const SHA256 = '2.16.840.1.101.3.4.2.1';
const SIGNED_DATA = '1.2.840.113549.1.7.2';
const TST_INFO = '1.2.840.113549.1.9.16.1.4';
const CONTENT_TYPE = '1.2.840.113549.1.9.3';
/** RFC 5652 section 5.1: of content that is not plain data. */
const SIGNED_DATA_VERSION = '3';
/** RFC 5652 section 5.3: of a signer who is named by issuer and serial number. */
const SIGNER_VERSION = '1';
/** NULL, as its bytes. */
const NO_PARAMETERS = '5,0';
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';

/** A request of RFC 3161 (section 2.4.1) for a SHA-256, whose answer shall hold the authority's certificates. `nonce`: eight bytes. */
export function stampRequest(digest: Uint8Array, nonce: Uint8Array, policy: string | null): Uint8Array {
  const algorithm = writeDer(TAG.sequence, writeOid(SHA256), writeDer(TAG.null));
  return writeDer(
    TAG.sequence,
    writeDer(TAG.integer, new Uint8Array([1])),
    writeDer(TAG.sequence, algorithm, writeDer(TAG.octets, digest)),
    ...(policy === null ? [] : [writeOid(policy)]),
    // A leading zero keeps it from being negative.
    writeDer(TAG.integer, integerBytes(nonce)),
    writeDer(TAG.boolean, new Uint8Array([0xff])),
  );
}

/** The one spelling of a positive number in DER. */
function integerBytes(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  const short = first < 0 ? new Uint8Array([0]) : bytes.subarray(first);
  return (short[0] ?? 0) >= 0x80 ? new Uint8Array([0, ...short]) : short;
}

/**
 * What an answer says, none of it checked. `info`: the bytes that were signed over by way of `attributes`; `attributes` as they are signed.
 * Algorithms and policy are object identifiers, certificates DER, `issuer` and `serial` those of the signer's certificate.
 */
export type ReadStamp = {
  status: number;
  digestOf: string;
  digest: Uint8Array;
  policy: string;
  nonce: Uint8Array | null;
  at: Date;
  info: Uint8Array;
  contentType: string;
  messageDigest: Uint8Array;
  attributes: Uint8Array;
  digestAlgorithm: string;
  signatureAlgorithm: string;
  signature: Uint8Array;
  issuer: Uint8Array;
  serial: Uint8Array;
  certificates: Uint8Array[];
};

/** Reads an answer of RFC 3161. @throws RangeError where it is none, or grants nothing */
export function readStamp(answer: Uint8Array): ReadStamp {
  const whole = readDer(answer);
  if (whole.whole.length !== answer.length) throw new RangeError('time stamp: something follows it');
  const [statusInfo, token] = childrenOf(whole);
  const status = Number(contentOf(childrenOf(some(statusInfo))[0], TAG.integer)[0]);
  if (token === undefined || status > 1) throw new RangeError('time stamp: not granted');
  const [type, wrapped] = childrenOf(token);
  if (readOid(some(type)) !== SIGNED_DATA) throw new RangeError('time stamp: no signed data');
  const signed = childrenOf(some(childrenOf(some(wrapped), TAG.zero)[0]));
  const digests = childrenOf(some(signed[1]), TAG.set).map((one) => {
    const [algorithm, parameters] = childrenOf(one);
    if (parameters !== undefined && parameters.whole.join() !== NO_PARAMETERS) throw new RangeError('time stamp: a digest with parameters');
    return readOid(some(algorithm));
  });
  if (contentOf(signed[0], TAG.integer).join() !== SIGNED_DATA_VERSION) throw new RangeError('time stamp: another version of signed data');
  const [contentType, content] = childrenOf(some(signed[2]));
  const info = contentOf(childrenOf(some(content), TAG.zero)[0], TAG.octets);
  const certificates = signed.slice(3).find(({ tag }) => tag === TAG.zero);
  const signers = childrenOf(some(signed.at(-1)), TAG.set);
  if (readOid(some(contentType)) !== TST_INFO || signers.length !== 1) throw new RangeError('time stamp: no time, or not one signer');
  const signer = readSigner(some(signers[0]));
  if (!digests.includes(signer.digestAlgorithm)) throw new RangeError('time stamp: a digest that it does not name');
  return {
    status,
    ...readInfo(info),
    info,
    ...signer,
    certificates: certificates === undefined ? [] : childrenOf(certificates, TAG.zero).map((one) => one.whole),
  };
}

function readInfo(bytes: Uint8Array) {
  const [, policy, imprint, , time, ...rest] = childrenOf(readDer(bytes));
  const [algorithm, digest] = childrenOf(some(imprint));
  return {
    policy: readOid(some(policy)),
    digestOf: readOid(some(childrenOf(some(algorithm))[0])),
    digest: contentOf(digest, TAG.octets),
    at: readTime(some(time)),
    nonce: rest.find(({ tag }) => tag === TAG.integer)?.content ?? null,
  };
}

function readSigner(signer: Der) {
  const [version, id, digestAlgorithm, attributes, signatureAlgorithm, signature] = childrenOf(signer);
  if (contentOf(version, TAG.integer).join() !== SIGNER_VERSION) throw new RangeError('time stamp: a signer that is named in another way');
  const [issuer, serial] = childrenOf(some(id));
  const named = new Map(
    childrenOf(some(attributes), TAG.zero).map((attribute) => {
      const [name, values] = childrenOf(attribute);
      return [readOid(some(name)), some(childrenOf(some(values), TAG.set)[0])] as const;
    }),
  );
  // Signed is the set itself, whose tag the answer replaces (RFC 5652 section 5.4).
  const set = some(attributes).whole.slice();
  set[0] = TAG.set;
  return {
    contentType: readOid(some(named.get(CONTENT_TYPE))),
    messageDigest: contentOf(named.get(MESSAGE_DIGEST), TAG.octets),
    attributes: set,
    digestAlgorithm: readOid(some(childrenOf(some(digestAlgorithm))[0])),
    signatureAlgorithm: readOid(some(childrenOf(some(signatureAlgorithm))[0])),
    signature: contentOf(signature, TAG.octets),
    issuer: some(issuer).whole,
    serial: contentOf(serial, TAG.integer),
  };
}

function contentOf(value: Der | undefined, tag: number): Uint8Array {
  if (value?.tag !== tag) throw new RangeError('time stamp: something else stands there');
  return value.content;
}

function some<T>(value: T | undefined): T {
  if (value === undefined) throw new RangeError('time stamp: something is missing');
  return value;
}

/** Whether it stamps this SHA-256, and with the nonce and the policy of the request. */
export function stampFits(stamp: ReadStamp, digest: Uint8Array, nonce: Uint8Array | null, policy: string | null): boolean {
  const same = (a: Uint8Array, b: Uint8Array) => a.length === b.length && a.every((byte, n) => byte === b[n]);
  return (
    stamp.digestOf === SHA256 &&
    stamp.contentType === TST_INFO &&
    same(stamp.digest, digest) &&
    (nonce === null || (stamp.nonce !== null && same(stamp.nonce, integerBytes(nonce)))) &&
    (policy === null || stamp.policy === policy)
  );
}
