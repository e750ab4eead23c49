/* SPDX-License-Identifier: GPL-2.0 */
/* The ring's source has nothing of it to use yet. */
