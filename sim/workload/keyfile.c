/* keyfile.c: key files with the line of everything in them.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "keyfile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "units.h"

/* The public part, and the bytes that all its texts point into. */
typedef struct KeyFile
{
  BnKeyFile file;
  char *name;
  char *bytes;
  BnKeySection *sections;
  BnKeyEntry *entries;
} KeyFile;

typedef struct Reader
{
  const char *name;
  uint32_t line;
  GArray *sections;     /* BnKeySection; entries are set at the end */
  GArray *entries;      /* BnKeyEntry                               */
  GHashTable *section_lines;  /* name -> line */
  GHashTable *key_lines;      /* key of the section at hand -> line */
} Reader;

static gboolean
syntax_error (Reader *r, GError **error, const char *format, ...) G_GNUC_PRINTF (3, 4);

static gboolean
syntax_error (Reader *r, GError **error, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  char *what = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  bn_input_fail (error, BN_INPUT_ERROR_SYNTAX, (BnPlace) { r->name, r->line }, "%s", what);
  g_free (what);
  return FALSE;
}

/* Runs of blanks become one. */
static void
squeeze_blanks (char *text)
{
  char *to = text;
  for (const char *from = text; *from != '\0'; from++)
    if (!g_ascii_isspace (*from))
      *to++ = *from;
    else if (to > text && to[-1] != ' ')
      *to++ = ' ';
  *to = '\0';
}

/* Remembers `word` at this line; FALSE if it was there, with its line. */
static gboolean
add_once (GHashTable *lines, char *word, uint32_t line, uint32_t *first_line)
{
  gpointer old = g_hash_table_lookup (lines, word);
  *first_line = GPOINTER_TO_UINT (old);
  return old == NULL && g_hash_table_insert (lines, word, GUINT_TO_POINTER (line));
}

static gboolean
read_section (Reader *r, char *text, GError **error)
{
  gsize length = strlen (text);
  if (text[length - 1] != ']')
    return syntax_error (r, error, "a section's name must end with ']'; write [name]");
  text[length - 1] = '\0';
  char *name = g_strstrip (text + 1);
  squeeze_blanks (name);
  if (*name == '\0' || strpbrk (name, "[]") != NULL)
    return syntax_error (r, error, "a section's name is missing or has brackets in it; write [name]");
  uint32_t first_line;
  if (!add_once (r->section_lines, name, r->line, &first_line))
    {
      char *quoted = bn_quote (name);
      syntax_error (r, error, "section %s is there already, at line %u; join the two or rename one", quoted,
                    first_line);
      g_free (quoted);
      return FALSE;
    }
  g_hash_table_remove_all (r->key_lines);
  BnKeySection section = { .name = name, .line = r->line };
  g_array_append_val (r->sections, section);
  return TRUE;
}

static gboolean
read_entry (Reader *r, char *text, GError **error)
{
  char *equals = strchr (text, '=');
  if (equals == NULL || equals == text)
    {
      char *quoted = bn_quote (text);
      syntax_error (r, error, "%s is neither 'key = value' nor '[section]' nor a '# comment'", quoted);
      g_free (quoted);
      return FALSE;
    }
  *equals = '\0';
  char *key = g_strchomp (text), *value = g_strchug (equals + 1);
  if (r->sections->len == 0)
    return syntax_error (r, error, "a key stands before the first section; begin with a line such as [scenario]");
  uint32_t first_line;
  if (!add_once (r->key_lines, key, r->line, &first_line))
    {
      char *quoted = bn_quote (key);
      syntax_error (r, error, "key %s is there already, at line %u; remove one of the two", quoted, first_line);
      g_free (quoted);
      return FALSE;
    }
  BnKeyEntry entry = { .key = key, .value = value, .line = r->line };
  g_array_append_val (r->entries, entry);
  g_array_index (r->sections, BnKeySection, r->sections->len - 1).n_entries++;
  return TRUE;
}

static gboolean
read_line (Reader *r, char *text, gsize length, GError **error)
{
  if (length > BN_KEY_FILE_MAX_LINE)
    return syntax_error (r, error, "the line is longer than 1 MiB; is this a key file?");
  if (memchr (text, '\0', length) != NULL)
    return syntax_error (r, error, "the line holds a NUL byte; is this a text file?");
  if (!g_utf8_validate (text, (gssize) length, NULL))
    return syntax_error (r, error, "the line is not UTF-8 text; save the file as UTF-8");
  text[length] = '\0';
  text = g_strstrip (text);
  for (const char *p = text; *p != '\0'; p++)
    if (g_ascii_iscntrl (*p) && *p != '\t')
      return syntax_error (r, error, "the line holds the control character 0x%02x; remove it", (unsigned) *p);
  if (*text == '\0' || *text == '#')
    return TRUE;
  return *text == '[' ? read_section (r, text, error) : read_entry (r, text, error);
}

static gboolean
read_lines (Reader *r, char *text, gsize length, GError **error)
{
  if (length >= 3 && memcmp (text, "\xef\xbb\xbf", 3) == 0)
    {
      text += 3;
      length -= 3;
    }
  char *end = text + length;
  while (text < end)
    {
      char *line_end = memchr (text, '\n', (gsize) (end - text));
      if (line_end == NULL)
        line_end = end;
      r->line++;
      if (!read_line (r, text, (gsize) (line_end - text), error))
        return FALSE;
      text = line_end + 1;
    }
  return TRUE;
}

/* Takes `bytes`, which has room for one byte after `length`. */
static BnKeyFile *
parse_taken (char *bytes, gsize length, const char *name, GError **error)
{
  KeyFile *k = g_new0 (KeyFile, 1);
  char *sha256 = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) bytes, length);
  g_strlcpy (k->file.sha256, sha256, sizeof k->file.sha256);
  g_free (sha256);
  k->bytes = bytes;
  k->name = g_strdup (name);
  k->file.name = k->name;

  Reader r = { .name = k->name };
  r.sections = g_array_new (TRUE, FALSE, sizeof (BnKeySection));
  r.entries = g_array_new (TRUE, FALSE, sizeof (BnKeyEntry));
  r.section_lines = g_hash_table_new (g_str_hash, g_str_equal);
  r.key_lines = g_hash_table_new (g_str_hash, g_str_equal);
  gboolean ok = read_lines (&r, bytes, length, error);
  g_hash_table_unref (r.section_lines);
  g_hash_table_unref (r.key_lines);

  k->file.n_sections = r.sections->len;
  k->sections = (BnKeySection *) (void *) g_array_free (r.sections, FALSE);
  k->file.sections = k->sections;
  k->entries = (BnKeyEntry *) (void *) g_array_free (r.entries, FALSE);
  const BnKeyEntry *entry = k->entries;
  for (uint32_t i = 0; i < k->file.n_sections; i++)
    {
      k->sections[i].entries = entry;
      entry += k->sections[i].n_entries;
    }
  if (ok)
    return &k->file;
  bn_key_file_free (&k->file);
  return NULL;
}

BnKeyFile *
bn_key_file_parse (const char *text, gsize length, const char *name, GError **error)
{
  char *bytes = g_malloc (length + 1);
  if (length > 0)
    memcpy (bytes, text, length);
  return parse_taken (bytes, length, name, error);
}

/* Reads at most one byte more than a key file may have: enough to find the line
 * that is too long, however long the file is. */
BnKeyFile *
bn_key_file_read (const char *path, GError **error)
{
  BnPlace place = { path, 0 };
  FILE *stream = fopen (path, "rb");
  if (stream == NULL)
    {
      bn_input_fail (error, BN_INPUT_ERROR_READ, place, "cannot be opened: %s; check the path", g_strerror (errno));
      return NULL;
    }
  GByteArray *bytes = g_byte_array_new ();
  guint8 block[1 << 16];
  gsize n;
  errno = 0;
  while (bytes->len <= BN_KEY_FILE_MAX_BYTES && (n = fread (block, 1, sizeof block, stream)) > 0)
    g_byte_array_append (bytes, block, (guint) n);
  int problem = ferror (stream) ? errno : 0;
  fclose (stream);
  if (problem != 0)
    {
      bn_input_fail (error, BN_INPUT_ERROR_READ, place, "cannot be read: %s; name a readable file",
                     g_strerror (problem));
      g_byte_array_unref (bytes);
      return NULL;
    }
  gsize length = bytes->len;
  g_byte_array_append (bytes, (const guint8 *) "", 1);
  BnKeyFile *file = parse_taken ((char *) g_byte_array_free (bytes, FALSE), length, path, error);
  if (file != NULL && length > BN_KEY_FILE_MAX_BYTES)
    {
      bn_input_fail (error, BN_INPUT_ERROR_SYNTAX, place, "is longer than 64 MiB; is this a key file?");
      bn_key_file_free (file);
      return NULL;
    }
  return file;
}

void
bn_key_file_free (BnKeyFile *file)
{
  if (file == NULL)
    return;
  KeyFile *k = (KeyFile *) (void *) ((char *) file - G_STRUCT_OFFSET (KeyFile, file));
  g_free (k->name);
  g_free (k->bytes);
  g_free (k->sections);
  g_free (k->entries);
  g_free (k);
}

const BnKeyEntry *
bn_key_section_find (const BnKeySection *section, const char *key)
{
  for (uint32_t i = 0; i < section->n_entries; i++)
    if (strcmp (section->entries[i].key, key) == 0)
      return &section->entries[i];
  return NULL;
}
