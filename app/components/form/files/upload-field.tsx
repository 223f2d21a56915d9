import { useTranslation } from 'react-i18next';
import { controlAttributes, FieldFrame, type FormFieldset, partOf } from '#app/components/form/field-parts.tsx';
import { FileInput } from '#app/components/form/files/file-input.tsx';
import { readKeptFile } from '#app/components/form/files/kept-file.ts';

/** Only helps to choose: the server checks what arrives. */
const ACCEPT = '.pdf,.docx,.xlsx,.csv,.txt,.md,.json,.xml,.png,.jpg,.jpeg,.gif,.webp';

type Props = {
  field: FormFieldset;
  label: string;
  hint?: string;
  optional?: boolean;
  required: boolean;
  /** An entry of a list, which says what it takes: each further file that is chosen with it becomes an entry of its own. */
  several?: boolean;
};

/**
 * A file to send with the form, and the one that was sent before, which stands until another is chosen. Posts `<name>.upload` and `<name>.kept`.
 */
export function UploadField({ field, label, hint, optional, required, several = false }: Props) {
  const { t } = useTranslation('inputs');
  const upload = partOf(field, 'upload', required);
  const kept = partOf(field, 'kept');
  const file = readKeptFile(kept.defaultValue);
  return (
    <FieldFrame
      field={{ ...upload, errors: [...(field.errors ?? []), ...(upload.errors ?? [])] }}
      label={label}
      hint={
        <>
          {hint !== undefined && <p>{hint}</p>}
          {!several && <p>{t('fileKinds')}</p>}
          {file === null ? null : <NamedFile text={t('keptFile')} name={file.name} />}
          {upload.defaultValue ? <NamedFile text={t('refusedFile')} name={upload.defaultValue} /> : null}
        </>
      }
      {...(optional ? { optional } : {})}
    >
      <input type="hidden" name={kept.name} value={kept.defaultValue} />
      <FileInput {...controlAttributes(upload, true)} multiple={several} accept={ACCEPT} />
    </FieldFrame>
  );
}

function NamedFile({ text, name }: { text: string; name: string }) {
  return (
    <p className="font-semibold text-ink">
      {text} <bdi className="break-words">{name}</bdi>
    </p>
  );
}

/** Kinds and sizes that a list of files takes. */
export function SeveralFilesHint({ hint }: { hint: string | undefined }) {
  const { t } = useTranslation('inputs');
  return (
    <>
      {hint !== undefined && <p>{hint}</p>}
      <p>{t('fileKinds')}</p>
      <p>{t('several')}</p>
    </>
  );
}
