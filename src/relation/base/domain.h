/*-------------------------------------------------------------------------
 *
 * domain.h
 *		The text domain of messages, by which those of the extension are told from others.
 *
 * The Makefile has every file of the extension begin with it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_DOMAIN_H
#define SDC_RELATION_DOMAIN_H

#include "postgres.h"

#undef TEXTDOMAIN
#define TEXTDOMAIN "sdc"

#endif							/* SDC_RELATION_DOMAIN_H */
