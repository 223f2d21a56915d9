import { useTranslation } from 'react-i18next';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { JsonText, JsonView } from '#app/components/value/json-view.tsx';
import { bytesOf, type ShownValue, type TextStart } from '#app/components/value/shown-value.ts';

/** A value, or its beginning with a link to all of it. `file`: the address of the whole value as a file. */
export function ValueView({ value, label, file }: { value: ShownValue; label: string; file: string }) {
  if ('whole' in value) return <JsonView value={value.whole} label={label} />;
  return (
    <>
      <JsonText text={value.start} label={label} hides={value.hides} />
      <RestOfValue value={value} label={label} file={file} />
    </>
  );
}

/** How much of a value is shown, with a link to the whole file. */
export function RestOfValue({ value, label, file }: { value: TextStart; label: string; file: string }) {
  const { t } = useTranslation('common');
  const formats = useFormats();
  const size = (bytes: number) =>
    formats.number(bytes / 1_000, { style: 'unit', unit: 'kilobyte', unitDisplay: 'short', maximumFractionDigits: bytes < 1_000 ? 1 : 0 });
  return (
    <p className="mt-1 text-sm">
      {t('value.start', { shown: size(bytesOf(value.start)), size: size(value.bytes) })}{' '}
      <a href={file} download className="text-link py-0.5">
        {t('value.downloadAll', { name: label })}
      </a>
    </p>
  );
}
