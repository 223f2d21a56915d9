import { createHash } from 'node:crypto';
import { type ActionFunctionArgs, href, type RouterContextProvider } from 'react-router';
import { message } from '#app/components/form/messages.ts';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { changePicture } from '#app/engine/commands/account/change-picture.ts';
import { noFieldsSchema, pictureSchema } from '#app/features/account/account-schemas.ts';
import { PICTURE_MAX_BYTES, PICTURE_MAX_SIDE, type Picture, readPicture } from '#app/features/account/profile/picture.ts';
import { performAsMember } from '#app/perform.server.ts';

const PROFILE_PATH = href('/dashboard/account/profile');

/** The folder of a person's pictures. */
export const avatarFolder = (userId: string) => `avatars/${userId}`;

/** The two forms of the screen: use this picture, or none. */
export async function changePictureAction(args: ActionFunctionArgs) {
  const form = (await args.request.clone().formData()).get('form');
  return form === 'remove' ? removePicture(args) : savePicture(args);
}

async function savePicture({ request, context }: ActionFunctionArgs) {
  const parsed = await parseForm(request, pictureSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const refuse = (text: string) => invalidForm(parsed.reply, { fieldErrors: { picture: [text] } });
  const { picture } = parsed.value;
  if (picture === undefined || picture.size === 0) return refuse(message('pictureMissing'));
  if (picture.size > PICTURE_MAX_BYTES) return refuse(message('pictureTooLarge'));
  const seen = readPicture(new Uint8Array(await picture.arrayBuffer()));
  if (seen === null) return refuse(message('pictureKind'));
  if (Math.max(seen.width, seen.height) > PICTURE_MAX_SIDE) return refuse(message('pictureTooWide', { limit: PICTURE_MAX_SIDE }));
  await keep(context, seen);
  return redirectWithNotice(PROFILE_PATH, 'pictureSaved');
}

/** The file comes first, under a new name: until the row names it nobody sees it, and afterwards the old one is unused. */
async function keep(context: Readonly<RouterContextProvider>, { mediaType, content }: Picture): Promise<void> {
  const { member } = context.get(memberContext);
  const { files, newId } = context.get(servicesContext);
  const name = `${avatarFolder(member.userId)}/${newId()}`;
  const digest = createHash('sha256').update(content).digest('hex');
  await files.put({ name, ownerId: member.userId, mediaType, content });
  try {
    await performAsMember(context, changePicture, { picture: { fileName: name, mediaType, digest } });
  } catch (error) {
    await sweep(context, [name]);
    throw error;
  }
  await sweepOthers(context, name);
}

async function removePicture({ request, context }: ActionFunctionArgs) {
  const parsed = await parseForm(request, noFieldsSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  await performAsMember(context, changePicture, { picture: null });
  await sweepOthers(context, null);
  return redirectWithNotice(PROFILE_PATH, 'pictureRemoved');
}

async function sweepOthers(context: Readonly<RouterContextProvider>, kept: string | null): Promise<void> {
  const { files, log } = context.get(servicesContext);
  try {
    const names = await files.list(avatarFolder(context.get(memberContext).member.userId));
    await files.remove(names.filter((name) => name !== kept));
  } catch (error) {
    log.error('an old picture could not be removed', { error });
  }
}

/** Nobody sees a file that no row names: if it cannot be deleted, nothing else fails. */
async function sweep(context: Readonly<RouterContextProvider>, names: string[]): Promise<void> {
  const { files, log } = context.get(servicesContext);
  await files.remove(names).catch((error: unknown) => log.error('a picture could not be removed', { error }));
}
