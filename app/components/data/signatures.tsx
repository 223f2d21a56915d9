import { useTranslation } from 'react-i18next';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { useFormats, useLocale } from '#app/components/text/locale-context.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import type { SignatureMeaning, SignatureMethod } from '#app/contracts/statuses.ts';
import { makeFormats } from '#app/domain/web/formats.ts';

/** One signature as the record shows it. `place` null: the log holds no signature of it that can be read any more. */
export type ShownSignature = {
  /** Empty: erased. */
  name: string;
  /** Null: made before votes stated one. */
  meaning: SignatureMeaning | null;
  /** Where it is no vote: what it put into effect. */
  act?: string | undefined;
  method: SignatureMethod;
  at: string;
  zone: string | null;
  digest: string;
  reason: string;
  place: { event: string; place: number | null; checkpoint: number | null } | null;
};

/** Each signature as a block of its own, with all that 21 CFR 11.50 asks for and where the log proves it. Needs the namespace approvals. */
export function Signatures({ of, digest }: { of: readonly ShownSignature[]; digest: string }) {
  const { t } = useTranslation('approvals');
  if (of.length === 0) return <p className="text-muted">{t('record.none')}</p>;
  return (
    <ol className="grid gap-6">
      {of.map((signature, index) => (
        <li key={`${signature.at} ${signature.name}`} className="break-inside-avoid">
          <h3 className="mb-2 font-semibold">{t('record.signer', { number: index + 1 })}</h3>
          {signature.digest === digest ? null : <Notice kind="danger" title={t('record.otherDigest')} />}
          <SignatureFacts of={signature} />
        </li>
      ))}
    </ol>
  );
}

function SignatureFacts({ of }: { of: ShownSignature }) {
  const { t } = useTranslation('approvals');
  const { t: common } = useTranslation('common');
  const locale = useLocale();
  const timeIn = (timeZone: string) => <bdi>{makeFormats({ ...locale, timeZone }).exactTime(of.at)}</bdi>;
  return (
    <DescriptionList
      items={[
        { term: t('record.name'), description: of.name === '' ? t('record.erased') : <bdi className="font-semibold">{of.name}</bdi> },
        {
          term: t('record.meaning'),
          description: of.act ?? (of.meaning === null ? t('record.notStated') : common(`meaning.${of.meaning}`)),
        },
        ...(of.zone === null
          ? []
          : [
              {
                term: t('record.local'),
                description: (
                  <>
                    {timeIn(of.zone)} <bdi className="text-muted">({of.zone.replaceAll('_', ' ')})</bdi>
                  </>
                ),
              },
            ]),
        { term: t('record.utc'), description: timeIn('UTC') },
        { term: t('record.method'), description: t(`record.methods.${of.method}`) },
        { term: t('record.digest'), description: <Digest value={of.digest} full /> },
        ...(of.reason === ''
          ? []
          : [
              {
                term: t('record.reason'),
                description: (
                  <span dir="auto" className="block max-w-measure break-words whitespace-pre-wrap">
                    {of.reason}
                  </span>
                ),
              },
            ]),
        { term: t('record.log'), description: <Place of={of.place} /> },
      ]}
    />
  );
}

function Place({ of }: { of: ShownSignature['place'] }) {
  const { t } = useTranslation('approvals');
  const { number } = useFormats();
  if (of === null) return t('record.unlisted');
  const place = of.place === null ? '' : number(of.place);
  return (
    <>
      {of.place === null
        ? t('record.waiting')
        : of.checkpoint === null
          ? t('record.uncovered', { place })
          : t('record.covered', { place, size: number(of.checkpoint) })}{' '}
      <code dir="ltr" className="block text-sm wrap-anywhere">
        {of.event}
      </code>
    </>
  );
}
