/** Which documents is the question asked of, and how is that changed? */
import type { Scope } from '../../../api/types.ts';

/** The scope without what is empty, or undefined when all that is not archived is meant. */
export function tidyScope(scope: Scope): Scope | undefined {
  const tidy: Scope = {};
  if (scope.folderId !== undefined) tidy.folderId = scope.folderId;
  if (scope.documentId !== undefined) tidy.documentId = scope.documentId;
  if (scope.kinds !== undefined && scope.kinds.length > 0) tidy.kinds = scope.kinds;
  if (scope.after) tidy.after = scope.after;
  if (scope.before) tidy.before = scope.before;
  if (scope.includeArchived) tidy.includeArchived = true;
  return Object.keys(tidy).length > 0 ? tidy : undefined;
}
