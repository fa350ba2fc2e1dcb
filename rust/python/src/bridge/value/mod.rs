//! Values: conversion of Python objects to and from messages; the classes of Java's objects and exceptions.

pub mod class_info;
pub mod decode;
pub mod encode;
pub mod error;
pub mod function;
pub mod object;
pub mod types;
